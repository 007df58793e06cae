# Builds the container image of credsync: the first stage removes the types, the second one is the image.
# The image contains no database, so DATABASE_URL must be set. docs/deployment.md, "Containers", has the commands.
# The base image is named by digest, because a tag can be moved. docs/deployment.md, "Images by digest", says how to
# change to a newer one.
ARG NODE_IMAGE=node:24.19.0-bookworm-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df
FROM ${NODE_IMAGE} AS build
WORKDIR /build
# The build needs Node and no package.
COPY package.json ./
COPY build ./build
COPY config ./config
COPY jobs ./jobs
COPY sandboxes ./sandboxes
COPY src ./src
RUN node build/main.ts
RUN chmod 0755 dist/jobs/credsync.mjs
# The Node on which every test ran. The one of the base image may be older, and only builds the image.
RUN npm install --prefix /tested --no-save --ignore-scripts \
      "node-linux-$(node -p process.arch)@$(node -p "require('./package.json').devDependencies.node")" \
    && mv /tested/node_modules/node-linux-*/bin/node /tested/node

FROM ${NODE_IMAGE}
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages (the embedded PostgreSQL, native speed-ups) are left out. No package here needs an install
# script.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force \
    # Nothing is installed after this, by a worker or by somebody who got into it.
    && rm -rf /usr/local/lib/node_modules /opt/yarn* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
      /usr/local/bin/yarn /usr/local/bin/yarnpkg
COPY --from=build /tested/node /usr/local/bin/node
COPY config/credsync.example.yaml config/credsync.schema.json config/settings.md ./config/
COPY --from=build /build/dist ./dist
# So that commands are typed as messages and pages name them: `docker exec … credsync check`.
RUN ln -s /app/dist/jobs/credsync.mjs /usr/local/bin/credsync

# Results files contain personal data, so only the worker's account may enter this directory. A new named volume gets
# the same owner and mode.
RUN install -d -o node -g node -m 0700 /data
ENV CREDSYNC_DATA_DIR=/data
VOLUME /data
# The account `node` of the base image, as a number so that Kubernetes can verify that it is not root.
USER 1000:1000

# The health pages listen on 127.0.0.1 unless the mounted config/credsync.yaml says `web: { host: 0.0.0.0 }`.
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# A stop waits for calls under way: up to invitations.deadline (90 s) and 12 s more. By default `docker stop` waits only
# ten seconds: give it 150.
STOPSIGNAL SIGTERM
# credsync.mjs, and not main.js, makes the heap grow in small steps: a large list takes a third less memory.
CMD ["node", "--disable-sigusr1", "dist/jobs/credsync.mjs", "start"]

# At the end, so that another revision rebuilds nothing. NODE_IMAGE is repeated, because an argument from above the
# stages is known only to FROM.
ARG NODE_IMAGE
ARG REVISION=unknown
LABEL org.opencontainers.image.title="credsync" \
      org.opencontainers.image.description="Turns course results into issued credentials, once each" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.base.name="$NODE_IMAGE"
