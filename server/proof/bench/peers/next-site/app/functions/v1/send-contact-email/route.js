import * as z from 'zod'
import { openStore } from '../../../../../store-lead.js'

const text = (maxLength) => z.string().max(maxLength)
const schema = z.object({
  firstName: text(100).min(1),
  lastName: text(100).min(1),
  email: z.email().max(254),
  phone: text(40).default(''),
  company: text(200).default(''),
  website: text(2048).default(''),
  budget: z.enum(['', 'starter', 'professional', 'enterprise', 'custom']).default(''),
  message: text(5000).min(1),
})

let store

export async function POST(request) {
  const parsed = schema.safeParse(await request.json())
  if (!parsed.success) return Response.json({ error: parsed.error.issues }, { status: 400 })
  store ??= openStore(process.env.DATA_DIR)
  return Response.json({ success: true, reference: store(parsed.data) })
}
