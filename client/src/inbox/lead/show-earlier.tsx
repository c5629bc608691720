import type { LeadDetail } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { useEarlier } from '../data/queries.ts'
import { passFocusOn } from '../ui/focus.ts'
import styles from './thread.module.css'

type Props = { lead: LeadDetail; onLoad?: () => void }

/** Stands where the part of a thread is missing that it loads. */
export function ShowEarlier({ lead, onLoad }: Props) {
  const { mutate, isPending, error } = useEarlier(lead, onLoad)
  return (
    <li ref={passFocusOn} className={styles.earlier}>
      {error && <p role="alert">Not loaded: {error.message}</p>}
      <Button kind="plain" isWorking={isPending} onClick={() => mutate()}>
        {isPending ? 'Loading…' : 'Show earlier'}
      </Button>
    </li>
  )
}
