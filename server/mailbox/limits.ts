/**
 * What is read of the mailbox, at most. Strangers write what is in it, so everything has a limit.
 * It's read and decoded in a thread of its own: see `read-worker.ts`. The serving thread gets only
 * what these limits leave of it, one message at a time.
 */

/** Of a header. Those of ordinary messages have less than 20,000 bytes. */
export const MAX_HEADER_BYTES = 64_000
/**
 * Of a header field, such as Subject or Cc, or those of the same name, and the number of fields.
 * What is over it is cut off before it is decoded.
 */
export const MAX_FIELD_BYTES = 4_000
export const MAX_FIELDS = 500
/**
 * Of a message, with its header. Text mostly comes first. Where it may be cut off, a line says so.
 */
export const MAX_BYTES = 128_000
/** Texts of a message beyond MAX_BYTES, which together have no more. */
export const MAX_TEXTS = 10
/**
 * Of what follows the headers, to recognize a message. The more headers it has, the less of it is
 * within MAX_BYTES.
 */
export const HASHED_BYTES = 32_000
/** Of one reply of the IMAP server: a header or message, and the list of its parts. */
export const MAX_REPLY_BYTES = 2_000_000
/** Parts of a message. Others aren't read, and the list of its files isn't asked for. */
export const MAX_PARTS = 250
/**
 * Lines of a message, and tags of its HTML, because each takes time. An ordinary one of MAX_BYTES
 * has 2,000 lines.
 */
export const MAX_LINES = 3_000
export const MAX_TAGS = 10_000
/** Of a list of parts: about a thousand. A longer one ends the connection. */
export const MAX_TOKENS = 30_000
/**
 * Lists of parts that fail before those of long messages aren't asked for until all that came is
 * read.
 */
export const MAX_FAILED_LISTS = 5
/** Multipart parts within each other. */
export const MAX_DEPTH = 20

/** Characters of what a message says, with what is quoted in it. */
export const MAX_TEXT = 20_000
/**
 * Message-IDs that a message answers. A long conversation names many; the last ones say where it
 * belongs.
 */
export const MAX_IDS = 50
export const MAX_FILES = 50
export const MAX_RECIPIENTS = 50
/** Characters of a subject. */
export const MAX_SUBJECT = 1_000

/** Folders of sent messages; and folders into which messages are moved from the inbox. */
export const MAX_FOLDERS = 10

/** Messages with the same Message-ID in a folder that are looked at. */
export const MAX_COPIES = 100

/** Of a file that is passed on to an owner. More is hardly ever sent by email. */
export const MAX_FILE_BYTES = 26_000_000
/** Files that are fetched at a time: mail services allow few connections. */
export const MAX_FETCHED = 2
/** How long it may take to find a file. */
export const FINDING_MS = 30_000

/** Headers that are fetched together. */
export const BATCH = 50
/** Of the heap of the thread that reads a folder. An ordinary message takes a few of them. */
export const MAX_MEGABYTES = 48
/**
 * For the connection with its login, a search, a batch of headers, a message, and the list of its
 * parts.
 */
export const DEADLINES_MS = {
  connect: 60_000,
  folders: 60_000,
  open: 60_000,
  find: 60_000,
  heads: 20_000,
  read: 15_000,
  parts: 10_000,
  words: 10_000,
  locate: 60_000,
  openFile: 15_000,
  nextBytes: 20_000,
}

/** How often a message that can't be read is tried. The last try takes only its headers. */
export const MAX_TRIES = 5
/** Messages that wait for another try. If there are more, the first have their last try at once. */
export const MAX_WAITING = 50
/** Messages that were given up, and for how long they are named. */
export const MAX_GIVEN_UP = 50
export const NAMED_FOR_MS = 30 * 24 * 60 * 60_000
