import { questions, title } from '#brand/words/questions.ts'
import { keepTogether } from '../../ui/keep-together.tsx'
import styles from './contact.module.css'

export function Questions() {
  return (
    <div className={styles.card} id="questions">
      <h3>{title}</h3>
      {questions.map(({ question, answer }) => (
        <div key={question} className={styles.question}>
          <h4>{question}</h4>
          <p>{keepTogether(answer)}</p>
        </div>
      ))}
    </div>
  )
}
