import { Button } from '../../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import styles from './access-page.module.css'

export type Question = {
  title: string
  /** What will happen. */
  text: string
  /** The label of the button. */
  yes: string
  work: () => Promise<void>
  /** The notice to show afterward. */
  done: string
}

type Props = { question: Question; onYes: (question: Question) => void; onClose: () => void }

/** Asks the owner to confirm something that can't be undone. */
export function ConfirmSheet({ question, onYes, onClose }: Props) {
  const confirm = () => {
    onClose()
    onYes(question)
  }
  return (
    <Sheet title={question.title} onClose={onClose}>
      <p>{question.text}</p>
      <p className={styles.yes}>
        <Button data-first onClick={confirm}>
          {question.yes}
        </Button>
      </p>
    </Sheet>
  )
}
