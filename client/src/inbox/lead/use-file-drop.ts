import { type ClipboardEvent, type DragEvent, useState } from 'react'

/** The properties of an element into which files are pasted or dropped. */
export function useFileDrop(take: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  return {
    'data-over': isOver,
    onDragOver: ({ dataTransfer }: DragEvent) => setOver(dataTransfer.types.includes('Files')),
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
    },
    onDrop({ dataTransfer }: DragEvent) {
      setOver(false)
      take([...dataTransfer.files])
    },
    onPaste(event: ClipboardEvent) {
      const files = [...event.clipboardData.files]
      const text = event.clipboardData.getData('text/plain')
      // Word and Excel add a picture of what they copy. File managers add the names of files.
      if (files.length === 0 || (text && !files.some(({ name }) => text.startsWith(name)))) return
      event.preventDefault()
      take(files)
    },
  }
}
