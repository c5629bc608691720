import type { Row } from '../row.ts'

/** What a visitor's request costs, beside the least that it could cost. */
export async function* measure(): AsyncIterable<Row> {}
