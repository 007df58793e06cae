// How the parts of the program add gauges to the metrics page.

import type { Gauge } from 'prom-client'

export type MakeGauge = (name: string, help: string, labelNames?: string[]) => Gauge
