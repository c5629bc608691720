import { announcementId } from '#shared/pages.ts'

/** Makes screen readers say a text. The element is outside of what React renders, so it works before the application loads. */
export function announce(text: string): void {
  const element = document.getElementById(announcementId)
  if (element) element.textContent = text
}
