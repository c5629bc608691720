import { apiPath } from '#shared/inbox/api.ts'
import { Button } from '../../ui/button.tsx'
import { useFresh } from '../frame/use-fresh.ts'
import page from '../ui/page.module.css'
import styles from './access-page.module.css'

/** Downloads all requests in one file. */
export function Download() {
  const fresh = useFresh()
  const download = async (format: 'csv' | 'json') => {
    if (!(await fresh('To download all requests, please sign in again.'))) return
    const link = document.createElement('a')
    link.href = `${apiPath}/export?format=${format}`
    link.download = ''
    link.click()
  }
  return (
    <section className={page.section}>
      <h2>Your requests as a file</h2>
      <p>Everything that visitors sent, for a spreadsheet (CSV) or another program (JSON).</p>
      <p className={styles.downloads}>
        <Button kind="plain" onClick={() => download('csv')}>
          Download CSV
        </Button>
        <Button kind="plain" onClick={() => download('json')}>
          Download JSON
        </Button>
      </p>
    </section>
  )
}
