import { useMutation } from '@tanstack/react-query'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { anything, callApi } from '../data/api.ts'
import { pathOf } from '../data/queries.ts'
import { refresh } from '../data/query-client.ts'
import { useNotify } from '../frame/notices.tsx'
import styles from './panels.module.css'
import { useChange } from './use-change.ts'

type Props = { lead: LeadDetail }

/** Says why the lead looks like spam, and asks for the owner's verdict. */
export function SuspectPanel({ lead }: Props) {
  const change = useChange(lead)
  return (
    <section className={styles.panel} aria-labelledby="doubts">
      <h2 id="doubts">This may be spam</h2>
      <ul>
        {lead.spamReasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <p className={styles.verdicts}>
        <Button kind="plain" onClick={() => change({ state: 'open' })}>
          Not spam
        </Button>
        <Button kind="plain" onClick={() => change({ state: 'spam' })}>
          Spam
        </Button>
      </p>
    </section>
  )
}

/** After the owner has chosen "Not spam", offers to send the receipt that was withheld. */
export function WithheldReceipt({ lead: { reference, name, email } }: Props) {
  const notify = useNotify()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => callApi(`${pathOf(reference)}/receipt`, anything, { method: 'POST' }),
    onSuccess: () => notify({ kind: 'done', text: `The receipt is on its way to ${email}.` }),
    onSettled: () => void refresh(),
  })
  return (
    <section className={styles.panel} aria-labelledby="receipt">
      <h2 id="receipt">No receipt yet</h2>
      <p>{name} got no receipt, because this looked like spam.</p>
      {error && <p role="alert">Not sent: {error.message}</p>}
      <p className={styles.verdicts}>
        <Button kind="plain" onClick={() => mutate()} disabled={isPending}>
          Send the receipt
        </Button>
      </p>
    </section>
  )
}
