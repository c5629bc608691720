import { useState } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { useSendReceipt } from '../data/changes.ts'
import { useNotify } from '../frame/notices.ts'
import { useChange } from '../frame/use-change.ts'
import styles from './suspect-panel.module.css'

/** Says why the lead looks like spam, and asks for the owner's verdict. */
export function SuspectPanel({ lead }: { lead: LeadDetail }) {
  const change = useChange()
  const notify = useNotify()
  const receipt = useSendReceipt(lead.reference)
  const [sendsReceipt, setSendsReceipt] = useState(true)

  const isHonest = async () => {
    const changed = await change(lead.reference, { kind: 'verdict', verdict: 'honest' })
    if (!changed || !lead.canSendReceipt || !sendsReceipt) return
    if (await receipt.run()) notify({ kind: 'done', text: `The receipt goes to ${lead.email}.` })
    else notify({ kind: 'failed', text: 'The receipt could not be sent.' })
  }
  return (
    <section className={styles.panel} aria-labelledby="doubts">
      <h2 id="doubts">This may be spam</h2>
      <ul>
        {lead.spamReasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {lead.canSendReceipt && (
        <label className={styles.receipt}>
          <input
            type="checkbox"
            checked={sendsReceipt}
            onChange={(event) => setSendsReceipt(event.target.checked)}
          />
          If it is not, send {lead.firstName} the receipt that was held back
        </label>
      )}
      <p className={styles.verdicts}>
        <Button kind="plain" onClick={isHonest}>
          Not spam
        </Button>
        <Button kind="plain" onClick={() => change(lead.reference, { kind: 'verdict', verdict: 'spam' })}>
          Spam
        </Button>
      </p>
    </section>
  )
}
