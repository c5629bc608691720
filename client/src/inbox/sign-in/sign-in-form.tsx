import { useState } from 'react'
import type { Session } from '#shared/inbox/api.ts'
import { AddressForm } from './address-form.tsx'
import { CodeForm } from './code-form.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import styles from './sign-in.module.css'

type Props = {
  /** The address of the owner who is already signed in. */
  owner?: string
  onSignedIn?: (session: Session) => void
}

const nothing = () => {}

/** Asks for the address, then for the code from the email. A passkey needs neither. */
export function SignInForm({ owner, onSignedIn = nothing }: Props) {
  const [address, setAddress] = useState<string>()
  if (address)
    return <CodeForm address={address} onSignedIn={onSignedIn} onBack={() => setAddress(undefined)} />
  return (
    <div className={styles.ways}>
      <AddressForm owner={owner} onAsked={setAddress} onSignedIn={onSignedIn} />
      <p className={styles.or}>or, without email</p>
      <PasskeyButton onSignedIn={onSignedIn} />
    </div>
  )
}
