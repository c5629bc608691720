import { findEmailTypo } from '#shared/find-email-typo.ts'
import styles from './reply-sheet.module.css'

type Props = { address: string; onChange: (address: string) => void }

/** The address that an answer goes to. The owner can correct it; a likely typo is pointed out. */
export function RecipientField({ address, onChange }: Props) {
  const typo = findEmailTypo(address)
  const { correction } = typo ?? {}
  return (
    <div className={styles.to}>
      <label htmlFor="recipient">To</label>
      {/* Not `type="email"`: browsers refuse some addresses that work. The server checks what has changed. */}
      <input
        id="recipient"
        inputMode="email"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={address}
        onChange={({ target }) => onChange(target.value)}
        aria-describedby="recipient-hint"
        required
      />
      <p id="recipient-hint" aria-live="polite">
        {correction ? (
          <button type="button" onClick={() => onChange(correction)}>
            {typo?.question}
          </button>
        ) : (
          typo?.question
        )}
      </p>
    </div>
  )
}
