import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { accessQuery } from '../data/queries.ts'
import { refresh } from '../data/query-client.ts'
import { removeAccess } from '../data/sign-in.ts'
import { useNotify } from '../frame/notices.tsx'
import { useFresh, useOwner } from '../frame/session.tsx'
import page from '../ui/page.module.css'
import { Sheet } from '../ui/sheet.tsx'
import { useNow } from '../ui/timers.ts'
import { ago } from '../words/times.ts'
import styles from './access-page.module.css'
import { AddPasskey } from './add-passkey.tsx'
import { Download } from './download.tsx'

const HOUR_MS = 60 * 60 * 1000

/** What the owner is asked to confirm before a session is ended or a passkey removed. */
type Question = {
  kind: 'sessions' | 'passkeys'
  id: string
  title: string
  /** What will happen. */
  text: string
  /** The label of the button. */
  yes: string
  /** The notice to show afterward. */
  done: string
}

/** Lists the signed-in devices, each with a button to sign it out, and the passkeys, each with a button to remove it. */
export function AccessPage() {
  const { data, error } = useQuery(accessQuery)
  const { session } = useOwner()
  const now = useNow()
  const [question, setQuestion] = useState<Question>()
  const ask = (asked: Question) => () => setQuestion(asked)
  return (
    <div className={page.page}>
      <h1>Access</h1>
      {error && <p role="alert">This page could not be loaded: {error.message}</p>}
      <section className={page.section} aria-busy={!data}>
        <h2>Signed-in devices</h2>
        <ul className={styles.list}>
          {data?.sessions.map(({ id, owner, browser, seenAt, isInUse }) => {
            const isThis = id === session.id
            const use = isThis ? 'this device' : isInUse ? 'in use' : seenInWords(seenAt, now)
            const question = {
              kind: 'sessions',
              id,
              title: `Sign out ${browser}?`,
              text: `That device is signed out at once. ${owner} must sign in again to open the inbox there.`,
              yes: 'Sign out',
              done: `${browser} has been signed out.`,
            } as const
            return (
              <Item key={id} name={browser} text={`${owner}, ${use}`}>
                {!isThis && (
                  <button type="button" aria-label={`Sign out ${browser}`} onClick={ask(question)}>
                    Sign out
                  </button>
                )}
              </Item>
            )
          })}
        </ul>
      </section>
      <section className={page.section}>
        <h2>Passkeys</h2>
        <p>A passkey signs you in with your fingerprint, face or screen lock, even when no email arrives.</p>
        {data && data.passkeys.length > 0 && (
          <ul className={styles.list}>
            {data.passkeys.map(({ id, owner, name, createdAt, usedAt }) => {
              const use = usedAt ? `used ${ago(usedAt, now)}` : `added ${ago(createdAt, now)}`
              const question = {
                kind: 'passkeys',
                id,
                title: `Remove ${name}?`,
                text: `${owner} can no longer sign in with this passkey, and gets an email about it. To use a passkey on that device again, add a new one there.`,
                yes: 'Remove',
                done: `${name} has been removed.`,
              } as const
              return (
                <Item key={id} name={name} text={`${owner}, ${use}`}>
                  <button type="button" aria-label={`Remove ${name}`} onClick={ask(question)}>
                    Remove
                  </button>
                </Item>
              )
            })}
          </ul>
        )}
        <AddPasskey />
      </section>
      <Download />
      {question && <Confirm question={question} onClose={() => setQuestion(undefined)} />}
    </div>
  )
}

function Item({ name, text, children }: { name: string; text: string; children: ReactNode }) {
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p>{text}</p>
      </div>
      {children}
    </li>
  )
}

// Within the hour, the server doesn't know when the device was last used.
const seenInWords = (seenAt: string, now: number): string =>
  now - Date.parse(seenAt) < HOUR_MS ? 'used in the last hour' : `last used about ${ago(seenAt, now)}`

/** Asks the owner to confirm something that can't be undone, and does it. */
function Confirm({ question, onClose }: { question: Question; onClose: () => void }) {
  const { kind, id, title, text, yes, done } = question
  const fresh = useFresh()
  const notify = useNotify()
  const { mutate } = useMutation({
    mutationFn: () => removeAccess(kind, id),
    onSuccess: () => notify({ kind: 'done', text: done }),
    onError: ({ message }) => notify({ kind: 'failed', text: message }),
    onSettled: () => void refresh(),
  })
  const confirm = async () => {
    onClose()
    if (await fresh('To change who has access, please sign in again.')) mutate()
  }
  return (
    <Sheet title={title} onClose={onClose}>
      <p>{text}</p>
      <p className={styles.yes}>
        <Button data-first onClick={confirm}>
          {yes}
        </Button>
      </p>
    </Sheet>
  )
}
