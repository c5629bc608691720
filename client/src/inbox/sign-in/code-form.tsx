import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { CODE_LENGTH, CODE_MINUTES, codeLimits, readCode } from '#shared/inbox/api.ts'
import { Button } from '../../ui/button.tsx'
import { describeField, Field } from '../../ui/field.tsx'
import textButton from '../../ui/text-button.module.css'
import { redeemCode } from '../data/sign-in.ts'
import styles from './sign-in.module.css'

type Props = { address: string; onBack: () => void }

export function CodeForm({ address, onBack }: Props) {
  const [code, setCode] = useState('')
  const { mutate, isPending, error, variables } = useMutation({ mutationFn: redeemCode })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate(code)
  }
  const change = (typed: string) => {
    setCode(typed)
    // Submits a complete code at once, to save a click.
    const isComplete = readCode(typed).length === CODE_LENGTH
    if (isComplete && !isPending && readCode(typed) !== readCode(variables ?? '')) mutate(typed)
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p role="status">
        If <strong>{address}</strong> may sign in here, an email with a code is on its way. It can take a few
        minutes.
      </p>
      <Field id="code" label="Code" hint={`works for ${CODE_MINUTES} minutes`} error={error?.message}>
        <input
          id="code"
          className={styles.codeField}
          type="text"
          value={code}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={1000}
          // biome-ignore lint/a11y/noAutofocus: the owner comes back from the mail program to type the code.
          autoFocus
          {...describeField('code', { hasNote: true, error: error?.message })}
          onChange={(event) => change(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={isPending}>
        {isPending ? 'Signing in…' : 'Sign in'}
      </Button>
      <button type="button" className={textButton.button} onClick={onBack}>
        No email? Ask again or use another address
      </button>
      <p className={styles.note}>{codeLimits} A passkey needs no code.</p>
    </form>
  )
}
