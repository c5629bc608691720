// Excludes the part of the window that the header covers. The 64 px must match --header-height.
const BELOW_HEADER = '-64px 0px 0px'
// While an on-screen keyboard is open, less than this share of the window's height stays visible.
const KEYBOARD_LEAVES = 0.8

/** Shows the call bar while the hero's buttons and the form are out of view and the on-screen keyboard is closed. */
export function watchCallBar() {
  const inView = new Set<Element>()
  const update = () => {
    const { height = innerHeight, scale = 1 } = visualViewport ?? {}
    const hasKeyboard = height * scale < innerHeight * KEYBOARD_LEAVES
    document.getElementById('call-bar')?.toggleAttribute('data-shown', inView.size === 0 && !hasKeyboard)
  }
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { isIntersecting, target } of changes) inView[isIntersecting ? 'add' : 'delete'](target)
      update()
    },
    { rootMargin: BELOW_HEADER },
  )
  for (const element of document.querySelectorAll('#hero-part a[href^="#"], form')) observer.observe(element)
  visualViewport?.addEventListener('resize', update)
  return () => {
    observer.disconnect()
    visualViewport?.removeEventListener('resize', update)
  }
}
