import * as z from 'zod/mini'
import { Problem } from '../../problem.ts'

/** Parses a request's body. If it is invalid, throws `invalid_input` with the first problem of each field. */
export function readBody<Body>(schema: z.ZodMiniType<Body>, body: unknown): Body {
  const result = z.safeParse(schema, body)
  if (result.success) return result.data
  const messages = new Map<string, string>()
  for (const { path, message } of result.error.issues)
    if (path.length > 0 && !messages.has(String(path[0]))) messages.set(String(path[0]), message)
  const [detail = 'Send a JSON object.'] = messages.values()
  throw new Problem('invalid_input', detail, {
    errors: [...messages].map(([field, message]) => ({ field, message })),
  })
}
