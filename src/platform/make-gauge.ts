// The function with which any part of the program adds a gauge to the metrics page.

import type { Gauge } from 'prom-client'

export type MakeGauge = (name: string, help: string, labelNames?: string[]) => Gauge
