import { MAX_COUNTED } from './api.ts'

/** Writes a count as "12", or as "999+" if the server stopped counting. */
export const countInWords = (count: number): string =>
  count < MAX_COUNTED ? String(count) : `${MAX_COUNTED - 1}+`
