import { useMutation } from '@tanstack/react-query'
import { apiPath } from '#shared/inbox/api.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { downloadFile } from '../data/api.ts'
import { pathOf } from '../data/queries.ts'
import { Sheet } from '../ui/sheet.tsx'
import styles from './sheets.module.css'

type Props = { lead: LeadDetail; onClose: () => void }

/** Offers everything that is stored about a person, for somebody who asks for it. Open it only after a recent sign-in. */
export function PersonSheet({ lead: { reference, email }, onClose }: Props) {
  const path = `${pathOf(reference)}/person?format=`
  const { mutate, isPending, error } = useMutation({ mutationFn: () => downloadFile(`${path}json`) })
  return (
    <Sheet title="Everything about this person" onClose={onClose}>
      <p>
        All requests from {email}, with notes, answers, drafts and emails, and how long they are kept. Send it
        to a person who asks what you store.
      </p>
      <p>Read it first: your notes are in it, and they may name other people.</p>
      <div className={`stack ${styles.form}`}>
        <ButtonLink kind="primary" href={`${apiPath}${path}html`} target="_blank">
          Page to print
        </ButtonLink>
        <Button kind="plain" disabled={isPending} onClick={() => mutate()}>
          {isPending ? 'Downloading…' : 'File for programs (JSON)'}
        </Button>
        {error && <p role="alert">{error.message}</p>}
      </div>
    </Sheet>
  )
}
