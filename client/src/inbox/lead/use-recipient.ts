import { useState } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { keys, queryClient } from '../data/queries.ts'
import { isElsewhere } from '../words/lead-words.ts'
import { withoutUndone } from './thread-items.ts'

/** Where an unfinished answer is to go. `after`: the last message that the owner had seen then. */
type KeptAddress = { text: string; after: number | undefined }

/**
 * Where an answer goes: `to` is undefined until the owner has decided between the address of the
 * request and `other`, if there is one; `why` says where that comes from.
 */
export function useRecipient(lead: LeadDetail) {
  const { lastReply } = lead
  // What the person wrote last came from another address.
  const elsewhere = isElsewhere(lastReply, lead) ? lastReply?.who : undefined
  const typedTo = keys.typed('to', lead.reference)
  const [kept] = useState(() => queryClient.getQueryData<KeptAddress>(typedTo))
  // If somebody else has written since, the answer may be for them.
  const [isKept] = useState(
    () => kept?.after === lastReply?.id || kept?.text.toLowerCase() === lastReply?.who,
  )
  const before = isKept || kept?.text === lead.email ? undefined : kept?.text
  const other = elsewhere || before
  // Also in a state: a value that React gets later would move the cursor.
  const [chosen, setChosen] = useState(isKept ? kept?.text : undefined)
  const setTo = (text: string) => {
    setChosen(text)
    queryClient.setQueryData<KeptAddress>(typedTo, { text, after: lastReply?.id })
  }
  const decided = elsewhere ? chosenBefore(lead, elsewhere) : undefined
  const to = chosen ?? (other ? decided : lead.email)
  return { to, setTo, other, why: elsewhere ? 'wrote last' : 'chosen before' }
}

/**
 * Where an owner has decided that answers go: to this other address, or to that of the request
 * since somebody wrote from there. Undefined if nobody has decided.
 */
function chosenBefore({ events, email, lastReply }: LeadDetail, elsewhere: string): string | undefined {
  const answer = withoutUndone(events)
    .filter(({ what }) => what === 'answer')
    .at(-1)
  if (answer?.recipient === elsewhere) return elsewhere
  const isSince = answer && answer.id > (lastReply?.id ?? 0)
  return isSince && answer.recipient === email.toLowerCase() ? email : undefined
}
