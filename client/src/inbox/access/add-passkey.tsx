import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { describeField, Field } from '../../ui/field.tsx'
import { refresh } from '../data/query-client.ts'
import { addPasskey } from '../data/sign-in.ts'
import { useNotify } from '../frame/notices.tsx'
import { useFresh, useOwner } from '../frame/session.tsx'
import styles from './access-page.module.css'

export function AddPasskey() {
  const { session } = useOwner()
  const [name, setName] = useState('')
  const fresh = useFresh()
  const notify = useNotify()
  const {
    mutate,
    data: isAdded,
    error: problem,
  } = useMutation({
    mutationFn: () => addPasskey(name.trim()),
    onSuccess: (isNew) => {
      if (!isNew) return
      setName('')
      notify({ kind: 'done', text: 'Passkey added. Next time, use it to sign in.' })
      void refresh()
    },
  })
  const error = problem?.message ?? (isAdded === false ? 'No passkey was added.' : undefined)
  if (!session.canUsePasskeys || !window.PublicKeyCredential)
    return (
      <p>
        {isIpAddress(location.hostname)
          ? 'Passkeys need a domain name such as inbox.example.com, not an IP address.'
          : 'Passkeys need a browser that supports them, and an https address or localhost.'}
      </p>
    )

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await fresh('To add a passkey, please sign in again.')) mutate()
  }
  return (
    <form className={styles.add} onSubmit={submit}>
      <Field id="passkey" label="Name" hint="optional, for example, Anna’s phone" error={error}>
        <input
          id="passkey"
          value={name}
          maxLength={100}
          autoComplete="off"
          {...describeField('passkey', { hasNote: true, error })}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Button type="submit" kind="plain">
        Add a passkey
      </Button>
    </form>
  )
}

const isIpAddress = (hostname: string) => /^\[|^[\d.]+$/.test(hostname)
