import type { Measured } from '#shared/facts.ts'

export const measured: Measured | undefined = undefined
