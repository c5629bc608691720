import { type ReactNode, useId } from 'react'
import page from '../ui/page.module.css'
import styles from './chart.module.css'

type Props = {
  title: string
  text?: string
  columns: string[]
  rows: (string | number)[][]
  children: ReactNode
}

/** A chart, with a table of its values to read or copy. */
export function Chart({ title, text, columns, rows, children }: Props) {
  const id = useId()
  return (
    <section className={page.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {text && <p>{text}</p>}
      {children}
      <details className={styles.table}>
        <summary>As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lets keyboard users scroll the table sideways. */}
        {/* biome-ignore lint/a11y/useSemanticElements: a second section per chart would add another landmark. */}
        <div className={styles.wide} role="group" tabIndex={0} aria-labelledby={id}>
          <table aria-labelledby={id}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, ...cells]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {cells.map((cell, index) => (
                    <td key={columns[index + 1]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  )
}
