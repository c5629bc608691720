export const title = 'Two sites to walk through'
export const intro =
  'Samples of our own, built the way we would build yours. Open them on the phone in your pocket.'
export const picture = (title: string) => `The first screen of ${title}`
export const newTab = ' (opens in a new tab)'
export const closing = 'Yours could stand here next.'
export const startProject = 'Start Your Project'
