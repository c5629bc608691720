import { type LeadSource, leadSource } from '#shared/inbox/lead.ts'

/** Parses a stored source. An invalid one gives an empty source, so that the lead stays readable. */
export function readSource(stored: string): LeadSource {
  try {
    return leadSource.safeParse(JSON.parse(stored)).data ?? {}
  } catch {
    return {}
  }
}
