import styles from './search-field.module.css'

type Props = { value: string; onChange: (value: string) => void }

export const searchId = 'search'

export function SearchField({ value, onChange }: Props) {
  return (
    <search className={styles.search}>
      <label htmlFor={searchId} className="visually-hidden">
        Search all requests
      </label>
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <path
          d="M13 13l5.5 5.5M14.5 8.5a6 6 0 1 1-12 0 6 6 0 0 1 12 0z"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
        />
      </svg>
      <input
        id={searchId}
        type="search"
        dir="auto"
        value={value}
        placeholder="Name, phone or words"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        onChange={(event) => onChange(event.target.value)}
      />
    </search>
  )
}
