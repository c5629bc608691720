import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { describeField, Field } from '../../ui/field.tsx'
import { askForCode, choosePasskey, redeemPasskey } from '../data/sign-in.ts'
import styles from './sign-in.module.css'

type Props = { owner: string | undefined; onAsked: (address: string) => void }

/** Asks for the email address. The browser also offers passkeys in this field. */
export function AddressForm({ owner = '', onAsked }: Props) {
  const [typed, setTyped] = useState(owner)
  const address = typed.trim()
  const request = useMutation({ mutationFn: () => askForCode(address), onSuccess: () => onAsked(address) })
  const refusal = useOfferedPasskey()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!request.isPending) request.mutate()
  }
  const error = request.isPending ? undefined : (request.error?.message ?? refusal)
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Field id="address" label="Your email address" error={error}>
        <input
          id="address"
          type="email"
          value={typed}
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          {...describeField('address', { error })}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={request.isPending}>
        {request.isPending ? 'Sending…' : 'Email me a code'}
      </Button>
    </form>
  )
}

/** Offers passkeys in the email field, again each time the server refuses one: a challenge works only once. */
function useOfferedPasskey(): string | undefined {
  const [refusal, setRefusal] = useState<Error>()
  useEffect(() => {
    if (!window.PublicKeyCredential) return
    choosePasskey({ isAutofill: true }).then(
      (choice) => choice && redeemPasskey(choice).catch(setRefusal),
      // Does nothing if the browser can't offer passkeys here: there are other ways to sign in.
      () => {},
    )
  }, [refusal])
  return refusal?.message
}
