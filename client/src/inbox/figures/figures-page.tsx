export const FiguresPage = () => <h1>Figures</h1>
