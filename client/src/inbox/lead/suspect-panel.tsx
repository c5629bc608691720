import type { LeadDetail } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { useChange } from '../frame/use-change.ts'
import styles from './suspect-panel.module.css'

/** Says why the lead looks like spam, and asks for the owner's verdict. */
export function SuspectPanel({ lead }: { lead: LeadDetail }) {
  const change = useChange()
  return (
    <section className={styles.panel} aria-labelledby="doubts">
      <h2 id="doubts">This may be spam</h2>
      <ul>
        {lead.spamReasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <p className={styles.verdicts}>
        <Button kind="plain" onClick={() => change(lead.reference, { kind: 'state', state: 'open' })}>
          Not spam
        </Button>
        <Button kind="plain" onClick={() => change(lead.reference, { kind: 'state', state: 'spam' })}>
          Spam
        </Button>
      </p>
    </section>
  )
}
