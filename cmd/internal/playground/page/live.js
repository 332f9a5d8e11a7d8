// In a report: the numbers of its script can be moved, and the odds follow.
"use strict";

(async () => {
  const text = JSON.parse(byID("live-script").textContent), live = byID("live"), place = make("div", {});
  const start = make("button", { type: "button", onclick: go }, "Work out the odds here");
  const state = make("p", { className: "note", role: "status" });
  live.append(start, state, place);

  async function go() {
    start.disabled = true;
    const began = Date.now();
    const tick = setInterval(() => { state.textContent = `${Math.round((Date.now() - began) / 1000)} s …`; }, 1000);
    try {
      const first = await oddsOf(text, 10);
      place.replaceChildren(...tables(first), ...remarks(first));
      const service = new Talk("lsp"), textDocument = { uri: "file:///script.scene", languageId: "setpiece", version: 1, text };
      await service.call("initialize", { capabilities: {} });
      await service.tell("textDocument/didOpen", { textDocument });
      const numbers = await service.call("setpiece/numbers", { textDocument });
      service.worker.terminate();
      live.append(sliders(numbers, text, first, place));
      start.remove();
      state.textContent = "";
    } catch (err) {
      start.disabled = false;
      state.textContent = err.data?.problems?.[0]?.message ?? err.message;
    } finally {
      clearInterval(tick);
    }
  }
})();
