import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { CODE_LENGTH, CODE_MINUTES, codeLimits, PASSKEY_MINUTES, readCode } from '#shared/inbox/api.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import textButton from '../../ui/text-button.module.css'
import type { ApiError } from '../data/api.ts'
import { askForCode, choosePasskey, passkeysNeed, redeemCode, redeemPasskey } from '../data/sign-in.ts'
import styles from './sign-in.module.css'

/**
 * Asks for the address, then for the code from the email. A passkey
 * needs neither. `owner`: who is already signed in.
 */
export function SignInForm({ owner }: { owner?: string }) {
  const [address, setAddress] = useState<string>()
  const [isAsked, setIsAsked] = useState(false)
  if (address && isAsked) return <CodeForm address={address} onBack={() => setIsAsked(false)} />
  const onAsked = (typed: string) => {
    setAddress(typed)
    setIsAsked(true)
  }
  return (
    <div className="stack">
      <AddressForm owner={address ?? owner} autoFocus={address !== undefined} onAsked={onAsked} />
      <p className={`muted ${styles.or}`}>or, without email</p>
      <PasskeyButton />
    </div>
  )
}

type AddressProps = { owner: string | undefined; autoFocus: boolean; onAsked: (address: string) => void }

function AddressForm({ owner = '', autoFocus, onAsked }: AddressProps) {
  const [typed, setTyped] = useState(owner)
  const { mutate, isPending, error } = useMutation({
    mutationFn: askForCode,
    onSuccess: (_response, address) => onAsked(address),
  })
  const refused = usePasskeysInField()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Programs can submit a form without its button.
    if (!isPending) mutate(typed.trim())
  }
  return (
    <form className={`stack ${styles.form}`} onSubmit={submit} noValidate>
      <TextField
        id="address"
        label="Your email address"
        error={(error ?? refused)?.message}
        type="email"
        autoFocus={autoFocus}
        value={typed}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" isWorking={isPending}>
        {isPending ? 'Sending…' : 'Email me a code'}
      </Button>
    </form>
  )
}

const RENEW_MS = (PASSKEY_MINUTES - 1) * 60_000
const SECOND_MS = 1000

/**
 * Lets the browser offer passkeys in the field for the address, until the owner uses one. Returns
 * why the last one was refused.
 */
function usePasskeysInField(): ApiError | undefined {
  const [{ askedAt, refused }, ask] = useState<{ askedAt: number; refused?: ApiError }>(() => ({
    askedAt: Date.now(),
  }))
  // A challenge works only once, and for a few minutes.
  useEffect(() => {
    choosePasskey({ isInField: true }).then(
      (choice) => redeemPasskey(choice).catch((refused) => ask({ askedAt: Date.now(), refused })),
      // The owner hasn't asked for a passkey yet, and the button says why there is none.
      () => {},
    )
    // Compares the time each second, because a long timer stands still while the device sleeps.
    const timer = setInterval(() => {
      const isOld = Date.now() - askedAt > RENEW_MS
      // While the browser's own dialog has the focus, this would close it. Offline, as after a
      // sleep, it would fail.
      if (isOld && document.hasFocus() && navigator.onLine)
        ask((before) => ({ ...before, askedAt: Date.now() }))
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [askedAt])
  return refused
}

function CodeForm({ address, onBack }: { address: string; onBack: () => void }) {
  const [code, setCode] = useState('')
  const { mutate, isPending, error, variables = '' } = useMutation({ mutationFn: redeemCode })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate(code)
  }
  const change = (typed: string) => {
    setCode(typed)
    // Submits a complete code at once, to save a click.
    const isComplete = readCode(typed).length === CODE_LENGTH
    if (isComplete && !isPending && readCode(typed) !== readCode(variables)) mutate(typed)
  }
  return (
    <form className={`stack ${styles.form}`} onSubmit={submit} noValidate>
      <p role="status">
        If <strong>{address}</strong> may sign in here, an email with a code is on its way. It can take a few
        minutes.
      </p>
      <TextField
        id="code"
        label="Code"
        hint={`works for ${CODE_MINUTES} minutes`}
        error={error?.message}
        className={styles.codeField}
        value={code}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={1000}
        // The owner comes back from the mail program to type the code.
        autoFocus
        onChange={({ target }) => change(target.value)}
      />
      <Button type="submit" isWorking={isPending}>
        {isPending ? 'Signing in…' : 'Sign in'}
      </Button>
      <button type="button" className={textButton.button} onClick={onBack}>
        No email? Ask again or use another address
      </button>
      <p className="muted">{codeLimits} A passkey needs no code.</p>
      <p className="muted">
        Is email not set up yet? On the server, <code>npm run leads -- sign-in</code> shows a link that signs
        you in.
      </p>
    </form>
  )
}

function PasskeyButton() {
  const { mutate, error } = useMutation({ mutationFn: async () => redeemPasskey(await choosePasskey()) })
  if (!window.PublicKeyCredential) return <p className="muted">{passkeysNeed}</p>
  return (
    <>
      <Button kind="plain" onClick={() => mutate()}>
        Use a passkey
      </Button>
      {error && (
        <p className="error" role="alert">
          {error.message}
        </p>
      )}
    </>
  )
}
