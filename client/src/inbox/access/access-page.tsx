import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { downloadFile, saveFile } from '../data/api.ts'
import { accessQuery, refresh, repliesQuery } from '../data/queries.ts'
import { addPasskey, endAccess, passkeysNeed } from '../data/sign-in.ts'
import { useNow } from '../data/timers.ts'
import { useNotify } from '../frame/notices.tsx'
import { useFresh, useOwner } from '../frame/session.tsx'
import { MOVES_ON } from '../lead/use-move-on.ts'
import { PushSection } from '../push/push-section.tsx'
import { RepliesSection } from '../replies/replies-section.tsx'
import { passFocusOn } from '../ui/focus.ts'
import page from '../ui/page.module.css'
import { SettingBox } from '../ui/setting.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { ago } from '../words/times.ts'

const HOUR_MS = 60 * 60 * 1000

/**
 * Lists the signed-in devices, each with a button to sign it out, and
 * the passkeys, each with a button to remove it.
 */
export function AccessPage() {
  const { data, error, isPending } = useQuery(accessQuery)
  const replies = useQuery(repliesQuery)
  const { session } = useOwner()
  const now = useNow()
  const title = <h1>Access</h1>
  // What comes later would move the sections below it.
  if (isPending || replies.isPending)
    return (
      <div className={page.page} aria-busy>
        {title}
      </div>
    )
  return (
    <div className={`stack ${page.page}`}>
      {title}
      {error && <p role="alert">This page could not be loaded: {error.message}</p>}
      <section className="stack">
        <h2>Signed-in devices</h2>
        <ul className="lines">
          {data?.sessions.map(({ id, owner, browser, seenAt, isInUse }) => (
            <Item
              key={id}
              path={`sessions/${id}`}
              name={browser}
              text={`${owner}, ${id === session.id ? 'this device' : isInUse ? 'in use' : seenInWords(seenAt, now)}`}
              isFixed={id === session.id}
              verb="Sign out"
              warning={`That device is signed out at once. ${owner} must sign in again to open the inbox there.`}
            />
          ))}
        </ul>
      </section>
      <section className="stack">
        <h2>Passkeys</h2>
        <p>A passkey signs you in with your fingerprint, face or screen lock, even when no email arrives.</p>
        {data && data.passkeys.length > 0 && (
          <ul className="lines">
            {data.passkeys.map(({ id, owner, name, createdAt, usedAt }) => (
              <Item
                key={id}
                path={`passkeys/${encodeURIComponent(id)}`}
                name={name}
                text={`${owner}, ${usedAt ? `used ${ago(usedAt, now)}` : `added ${ago(createdAt, now)}`}`}
                verb="Remove"
                warning={`${owner} can no longer sign in with this passkey, and gets an email about it. To use a passkey on that device again, add a new one there.`}
              />
            ))}
          </ul>
        )}
        <AddPasskey />
      </section>
      <PushSection />
      <section className="stack">
        <h2>From request to request</h2>
        <SettingBox setting={MOVES_ON}>After an action, open the next request</SettingBox>
      </section>
      <RepliesSection />
      <Download />
    </div>
  )
}

// Within the hour, the server doesn't know when the device was last used.
const seenInWords = (seenAt: string, now: number): string =>
  now - Date.parse(seenAt) < HOUR_MS ? 'used in the last hour' : `last used about ${ago(seenAt, now)}`

type ItemProps = {
  path: string
  name: string
  text: string
  isFixed?: boolean
  /** The label of the button that ends this access. */
  verb: string
  /** What will happen. */
  warning: string
}

/** A device or a passkey. Ending its access can't be undone, so the owner must confirm it. */
function Item({ path, name, text, isFixed, verb, warning }: ItemProps) {
  const [isAsking, setAsking] = useState(false)
  const fresh = useFresh()
  const notify = useNotify()
  const { mutate } = useMutation({
    mutationFn: () => endAccess(path),
    onSuccess: () => notify({ kind: 'done', text: `${name} no longer has access.` }),
    onError: ({ message }) => notify({ kind: 'failed', text: message }),
    onSettled: () => void refresh(),
  })
  const confirm = async () => {
    setAsking(false)
    if (await fresh('To change who has access, please sign in again.')) mutate()
  }
  return (
    <li ref={passFocusOn} className="between">
      <div>
        <strong>{name}</strong>
        <p className="muted">{text}</p>
      </div>
      {!isFixed && (
        <button type="button" aria-label={`${verb} ${name}`} onClick={() => setAsking(true)}>
          {verb}
        </button>
      )}
      {isAsking && (
        <Sheet title={`${verb} ${name}?`} onClose={() => setAsking(false)}>
          <p>{warning}</p>
          <p className="stack form">
            <Button data-first onClick={confirm}>
              {verb}
            </Button>
          </p>
        </Sheet>
      )}
    </li>
  )
}

function AddPasskey() {
  const { session } = useOwner()
  const [name, setName] = useState('')
  const fresh = useFresh()
  const notify = useNotify()
  const { mutate, error } = useMutation({
    mutationFn: () => addPasskey(name.trim()),
    onSuccess: () => {
      setName('')
      notify({ kind: 'done', text: 'Passkey added. Next time, use it to sign in.' })
    },
    // It may have been added although the response was lost.
    onSettled: () => void refresh(),
  })
  if (!session.canUsePasskeys || !window.PublicKeyCredential) return <p>{passkeysNeed}</p>

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await fresh('To add a passkey, please sign in again.')) mutate()
  }
  return (
    <form className="stack form" onSubmit={submit}>
      <TextField
        id="passkey"
        label="Name"
        hint="optional, for example, Anna’s phone"
        error={error?.message}
        value={name}
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" kind="plain">
        Add a passkey
      </Button>
    </form>
  )
}

/** Downloads all requests in one file. */
function Download() {
  const fresh = useFresh()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (format: 'xlsx' | 'json') => downloadFile(`/export?format=${format}`),
    onSuccess: (file) => saveFile(file, file.name),
  })
  const download = async (format: 'xlsx' | 'json') => {
    if (await fresh('To download all requests, please sign in again.')) mutate(format)
  }
  return (
    <section className="stack">
      <h2>Your requests as a file</h2>
      <p>Everything that visitors sent, as an Excel file for a spreadsheet, or as JSON for programs.</p>
      <p className="row">
        <Button kind="plain" isWorking={isPending} onClick={() => download('xlsx')}>
          For a spreadsheet
        </Button>
        <Button kind="plain" isWorking={isPending} onClick={() => download('json')}>
          For programs
        </Button>
      </p>
      <p role="status">{isPending ? 'Downloading…' : error?.message}</p>
    </section>
  )
}
