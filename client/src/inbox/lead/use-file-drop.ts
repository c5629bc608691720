import { type ClipboardEvent, type DragEvent, useState } from 'react'

/** Takes files that are pasted into an element, or dropped on it, and says whether some are over it. */
export function useFileDrop(take: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
  }
  const onDrop = (event: DragEvent) => {
    setOver(false)
    const { files } = event.dataTransfer
    if (files.length === 0) return
    event.preventDefault()
    take([...files])
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    const text = event.clipboardData.getData('text/plain')
    // Word and Excel add a picture of what they copy. A file manager adds the names of files.
    if (files.length === 0 || (text && !files.some(({ name }) => text.startsWith(name)))) return
    event.preventDefault()
    take(files)
  }
  return { isOver, handlers: { onDragOver, onDragLeave, onDrop, onPaste } }
}
