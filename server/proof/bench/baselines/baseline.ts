import { join } from 'node:path'
import { openChild } from '../child.ts'

/** Starts a baseline in a separate process, sends it its settings, and waits until it's ready. */
export const openBaseline = (name: string, settings: object) =>
  openChild(join(import.meta.dirname, `${name}.ts`), settings)
