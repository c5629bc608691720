import { useMutation } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { downloadFile } from '../data/api.ts'
import { useFresh } from '../frame/session.tsx'
import page from '../ui/page.module.css'
import styles from './access-page.module.css'

// The file's temporary URL is revoked after this long. The browser needs the URL until the file is saved.
const ADDRESS_MS = 60_000

/** Downloads all requests in one file. */
export function Download() {
  const fresh = useFresh()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (format: 'xlsx' | 'json') => downloadFile(`/export?format=${format}`),
    onSuccess: save,
  })
  const download = async (format: 'xlsx' | 'json') => {
    if (await fresh('To download all requests, please sign in again.')) mutate(format)
  }
  return (
    <section className={page.section}>
      <h2>Your requests as a file</h2>
      <p>Everything that visitors sent, as an Excel file for a spreadsheet, or as JSON for programs.</p>
      <p className={styles.downloads}>
        <Button kind="plain" disabled={isPending} onClick={() => download('xlsx')}>
          For a spreadsheet
        </Button>
        <Button kind="plain" disabled={isPending} onClick={() => download('json')}>
          For programs
        </Button>
      </p>
      <p role="status">{isPending ? 'Downloading…' : error?.message}</p>
    </section>
  )
}

function save(file: File) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  setTimeout(URL.revokeObjectURL, ADDRESS_MS, link.href)
}
