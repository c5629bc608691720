import type { ComponentProps, FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useNow } from '../data/timers.ts'
import { moment } from '../words/times.ts'
import styles from './time-choices.module.css'

type Choices = {
  /** What each button says, and its ISO time. */
  choices: { words: string; at: string }[]
  onChoose: (at: string) => void
}

type Props = Choices & ComponentProps<'input'> & { verb: string }

/** Asks for a time: the usual ones, or any other. `verb`: what the button beside the input says. */
export function TimeChoices({ choices, onChoose, verb, ...input }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('time')
    onChoose(new Date(String(typed)).toISOString())
  }
  return (
    <>
      <TimeButtons choices={choices} onChoose={onChoose} />
      <form className="stack form" onSubmit={submit}>
        <TextField {...input} id="time" name="time" type="datetime-local" label="Or at" required />
        <Button type="submit">{verb}</Button>
      </form>
    </>
  )
}

/** A button for each usual time. */
export function TimeButtons({ choices, onChoose }: Choices) {
  const now = useNow()
  return (
    <div className={`stack ${styles.choices}`}>
      {choices.map(({ words, at }) => (
        <button key={words} type="button" onClick={() => onChoose(at)}>
          {words} <span>{words !== 'Now' && moment(at, now)}</span>
        </button>
      ))}
    </div>
  )
}
