import * as z from 'zod/mini'
import { Problem } from '../../problem.ts'

/** Parses a request's body. If it is invalid, throws a Problem with `explanation`. */
export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  body: unknown,
  explanation: string,
): z.infer<Schema> {
  const result = z.safeParse(schema, body)
  if (result.success) return result.data
  throw new Problem('invalid_input', explanation)
}
