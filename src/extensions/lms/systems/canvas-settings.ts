// The settings schema for a system of type canvas. Pure.

import { z } from 'zod'
import { pollingSettings } from './moodle-settings.ts'

export const canvasSettings = z
  .strictObject({
    type: z.literal('canvas').describe('A Canvas site with its REST API.'),
    url: z.url({ protocol: /^https?$/ }).describe('The address of the Canvas site, as a browser shows it.'),
    token: z.string().min(1).describe('An access token of its service account, preferably from the environment.'),
    ...pollingSettings,
    sweep: pollingSettings.sweep.describe('When every learner is checked, including those with no reported changes.'),
  })
  .describe('A Canvas site that is polled for completions, and can receive outcomes.')

export type CanvasSettings = z.infer<typeof canvasSettings>
