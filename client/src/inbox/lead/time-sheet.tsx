import type { ComponentProps, FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Sheet } from '../ui/sheet.tsx'
import styles from './time-sheet.module.css'

type Props = ComponentProps<'input'> & {
  title: string
  /** The words on each button, what stands beside them, and the time. */
  choices: [string, string, string][]
  label: string
  /** What the button beside the input says. */
  verb: string
  onChoose: (time: string) => void
  onClose: () => void
}

/** Asks for a time: the usual ones, or any other. */
export function TimeSheet({ title, choices, label, verb, onChoose, onClose, children, ...input }: Props) {
  const choose = (time: string) => {
    onClose()
    onChoose(time)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    choose(String(new FormData(event.currentTarget).get('time')))
  }
  return (
    <Sheet title={title} onClose={onClose}>
      {children}
      <div className={`stack ${styles.choices}`}>
        {choices.map(([words, more, time]) => (
          <button key={words} type="button" onClick={() => choose(time)}>
            {words} <span>{more}</span>
          </button>
        ))}
      </div>
      <form className="stack form" onSubmit={submit}>
        <TextField {...input} id="time" name="time" label={label} required />
        <Button type="submit">{verb}</Button>
      </form>
    </Sheet>
  )
}
