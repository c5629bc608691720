const CHUNK_LENGTH = 64 * 1024

/** Joins small pieces of text, because each write costs a system call or a step of the compression. */
export async function* inChunks(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}
