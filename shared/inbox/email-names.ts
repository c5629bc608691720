const names: Record<string, string> = {
  owner_notice: 'notice',
  visitor_receipt: 'receipt',
  reminder: 'reminder',
  answer: 'answer',
  answer_copy: 'copy of the answer',
  answer_trouble: 'warning about the answer',
  webhook: 'post',
}

/** "receipt to ada@example.com". */
export const emailInShort = ({ kind, recipient }: { kind: string; recipient: string }): string =>
  `${names[kind] ?? 'email'} to ${recipient}`
