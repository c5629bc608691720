import { MAX_COUNTED } from './api.ts'

/** "12"; "999+" where the server stopped counting. */
export const countInWords = (count: number): string =>
  count < MAX_COUNTED ? String(count) : `${MAX_COUNTED - 1}+`
