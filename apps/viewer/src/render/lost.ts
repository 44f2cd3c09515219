// The graphics driver may take its context away; the renderer restores itself when it comes back.
export class LostNote {
  private note: HTMLElement | null = null;

  constructor(private readonly parent: HTMLElement, canvas: HTMLCanvasElement, restored: () => void) {
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault(); // or it would not be given back
      this.show();
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.note?.remove();
      this.note = null;
      restored();
    });
  }

  private show(): void {
    if (this.note !== null) return;
    const note = document.createElement("div");
    note.setAttribute("role", "status");
    note.textContent = "The graphics driver has reset. The picture comes back by itself; if not, load the page again.";
    Object.assign(note.style, { position: "absolute", inset: "auto 1rem 1rem 1rem", textAlign: "center" });
    this.parent.append(note);
    this.note = note;
  }
}
