import type { LeadDetail } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { useSendReceipt } from '../data/changes.ts'
import { useNotify } from '../frame/notices.ts'
import styles from './suspect-panel.module.css'

/** After the owner has chosen "Not spam", offers to send the receipt that was withheld. */
export function WithheldReceipt({ lead }: { lead: LeadDetail }) {
  const notify = useNotify()
  const receipt = useSendReceipt(lead.reference)

  const send = async () => {
    if (await receipt.run()) notify({ kind: 'done', text: `The receipt is on its way to ${lead.email}.` })
  }
  return (
    <section className={styles.panel} aria-labelledby="receipt">
      <h2 id="receipt">No receipt yet</h2>
      <p>{lead.name} got no receipt, because this looked like spam.</p>
      {receipt.error && <p role="alert">Not sent: {receipt.error.message}</p>}
      <p className={styles.verdicts}>
        <Button kind="plain" onClick={send} disabled={receipt.isRunning}>
          Send the receipt
        </Button>
      </p>
    </section>
  )
}
