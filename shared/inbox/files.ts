import * as z from 'zod/mini'

/** How many files an answer can have. */
export const MAX_ATTACHED = 10
export const tooManyFiles = `An answer can have at most ${MAX_ATTACHED} files.`
/**
 * How many bytes they can have together. Encoded for an email, they become a third larger, and many
 * mail servers accept 20 to 25 MB.
 */
export const MAX_ATTACHED_BYTES = 10_000_000

/** A file of an answer that an owner is writing. `size`: in bytes. */
export const attachedFile = z.object({ id: z.uuid(), name: z.string(), size: z.number() })
export type AttachedFile = z.infer<typeof attachedFile>

/** The response to an upload, and to the removal of a file: all files of the unfinished answer. */
export const attachedFiles = z.object({ attached: z.array(attachedFile) })

/** The headers of an upload: the name of the file, percent-encoded, and its type. */
export const fileHeaders = { name: 'X-File-Name', type: 'X-File-Type' } as const

/** The address of a file of an answer that an owner is writing, below that of the lead. */
export const fileOfDraft = (id: string): string => `files/${id}`

/** The address of a file of an event: the one with this index in `attachments`. */
export const fileOfEvent = (event: number, index: number): string => `events/${event}/files/${index}`
