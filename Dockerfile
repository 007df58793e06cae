# credsync in a container. Node runs the TypeScript as it stands, so nothing is built and one stage is enough.
# The image brings no database: DATABASE_URL must name one. docs/deployment.md, "Containers", says how to begin.
FROM node:24-slim

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# What is optional is the embedded PostgreSQL and native speed-ups; no package needs an install script to run here.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force
COPY config ./config
COPY src ./src
COPY jobs ./jobs

# Results files name people: the directory is the worker's alone. A new named volume takes over this owner and mode.
RUN install -d -o node -g node -m 0700 /data
ENV CREDSYNC_DATA_DIR=/data
VOLUME /data
# A number, so that Kubernetes can see that it is not root. It is `node` of the base image.
USER 1000:1000

# The health pages listen on 127.0.0.1 unless the mounted config/credsync.yaml says `web: { host: 0.0.0.0 }`.
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# A stop waits for calls under way: up to invitations.deadline (90 s) and 12 s more. `docker stop` gives ten seconds unless told otherwise: give it 150.
STOPSIGNAL SIGTERM
# By the door and not jobs/main.ts: it makes the heap grow in small steps, and a large list takes a third less memory.
CMD ["node", "jobs/credsync.mjs", "start"]
