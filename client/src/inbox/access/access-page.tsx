import { useState } from 'react'
import { useAccess } from '../data/queries.ts'
import { endSession, removePasskey } from '../data/sign-in.ts'
import { useShowApp } from '../frame/app-element.ts'
import { useNotify } from '../frame/notices.ts'
import { useOwner } from '../frame/session.ts'
import { useFresh } from '../frame/use-fresh.ts'
import page from '../ui/page.module.css'
import { ago } from '../words/times.ts'
import { useNow } from '../words/use-now.ts'
import styles from './access-page.module.css'
import { AddPasskey } from './add-passkey.tsx'
import { ConfirmSheet, type Question } from './confirm-sheet.tsx'
import { Download } from './download.tsx'

const HOUR_MS = 60 * 60 * 1000

/** Lists the signed-in devices, each with a button to sign it out, and the passkeys, each with a button to remove it. */
export function AccessPage() {
  const { data, error } = useAccess()
  const { session } = useOwner()
  useShowApp()
  const now = useNow()
  const [question, setQuestion] = useState<Question>()
  const end = useEnding()
  return (
    <div className={page.page}>
      <h1>Access</h1>
      {error && <p role="alert">This page could not be loaded: {error.message}</p>}
      <section className={page.section} aria-busy={!data}>
        <h2>Signed-in devices</h2>
        <ul className={styles.list}>
          {data?.sessions.map(({ id, owner, browser, seenAt, isInUse }) => (
            <li key={id}>
              <div>
                <strong>{browser}</strong>
                <p>
                  {owner}, {id === session.id ? 'this device' : isInUse ? 'in use' : seenInWords(seenAt, now)}
                </p>
              </div>
              {id !== session.id && (
                <button
                  type="button"
                  aria-label={`Sign out ${browser}`}
                  onClick={() =>
                    setQuestion({
                      title: `Sign out ${browser}?`,
                      text: `That device is signed out at once. ${owner} must sign in again to open the inbox there.`,
                      yes: 'Sign out',
                      work: () => endSession(id),
                      done: `${browser} has been signed out.`,
                    })
                  }
                >
                  Sign out
                </button>
              )}
            </li>
          ))}
        </ul>
      </section>
      <section className={page.section}>
        <h2>Passkeys</h2>
        <p>A passkey signs you in with your fingerprint, face or screen lock, even when no email arrives.</p>
        {data && data.passkeys.length > 0 && (
          <ul className={styles.list}>
            {data.passkeys.map(({ id, owner, name, createdAt, usedAt }) => (
              <li key={id}>
                <div>
                  <strong>{name}</strong>
                  <p>
                    {owner}, {usedAt ? `used ${ago(usedAt, now)}` : `added ${ago(createdAt, now)}`}
                  </p>
                </div>
                <button
                  type="button"
                  aria-label={`Remove ${name}`}
                  onClick={() =>
                    setQuestion({
                      title: `Remove ${name}?`,
                      text: `${owner} can no longer sign in with this passkey, and gets an email about it. To use a passkey on that device again, add a new one there.`,
                      yes: 'Remove',
                      work: () => removePasskey(id),
                      done: `${name} has been removed.`,
                    })
                  }
                >
                  Remove
                </button>
              </li>
            ))}
          </ul>
        )}
        <AddPasskey />
      </section>
      <Download />
      {question && <ConfirmSheet question={question} onYes={end} onClose={() => setQuestion(undefined)} />}
    </div>
  )
}

// Within the hour, the server doesn't know when the device was last used.
const seenInWords = (seenAt: string, now: number): string =>
  now - Date.parse(seenAt) < HOUR_MS ? 'used in the last hour' : `last used about ${ago(seenAt, now)}`

function useEnding() {
  const fresh = useFresh()
  const notify = useNotify()
  const [isBusy, setBusy] = useState(false)
  return async ({ work, done }: Question) => {
    if (isBusy || !(await fresh('To change who has access, please sign in again.'))) return
    setBusy(true)
    try {
      await work()
      notify({ kind: 'done', text: done })
    } catch (error) {
      notify({ kind: 'failed', text: (error as Error).message })
    } finally {
      setBusy(false)
    }
  }
}
