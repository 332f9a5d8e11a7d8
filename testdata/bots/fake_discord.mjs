// Stands for the module discord.js where a test plays discord.mjs: a gateway without a network. Its people open the evening of
// $FAKE_FILE, and press what is usual at each question; before that a stranger presses it, and asks what it is worth, and so does the
// game master. In the end it prints a line of JSON: what was posted in the thread, the buttons of the first question that costs something,
// what only one person saw, and what went wrong.

import { EventEmitter } from "node:events";

// Builder takes whatever setters are called, and keeps what they say: of setLabel("No") data.label is "No".
class Builder {
  constructor() {
    const data = {};
    const self = new Proxy({ data }, {
      get: (_, key) => key === "data" ? data : (...values) => {
        const member = key[3].toLowerCase() + key.slice(4);
        const made = values.map((v) => (typeof v === "function" ? v(new Builder()) : v));
        data[member] = key.startsWith("set") ? made[0] : [...(data[member] ?? []), ...made];
        return self;
      },
    });
    return self;
  }
}

export { Builder as ActionRowBuilder, Builder as ButtonBuilder, Builder as ModalBuilder, Builder as SlashCommandBuilder, Builder as TextInputBuilder };
export const ButtonStyle = { Primary: 1, Secondary: 2 }, TextInputStyle = { Short: 1 }, GatewayIntentBits = { Guilds: 1 };
export const Events = { ClientReady: "ready", InteractionCreate: "interactionCreate" }, MessageFlags = { Ephemeral: 64 };

const seen = { threads: 0, posted: [], buttons: [], alone: [], wrong: [], commands: 0 };
const asked = []; // messages with buttons
let wake = () => {};

const thread = {
  id: "thread-1",
  async send({ content, components }) {
    if (content.length > 2000) seen.wrong.push("a message of " + content.length);
    if (components) asked.push({ content, components }); else seen.posted.push(content);
    wake();
  },
};

// interact is something that a person does, and what they are told by themselves.
function interact(client, user, more) {
  return new Promise((done) => {
    let ephemeral = false;
    const say = async (x) => {
      const text = x.content ?? x;
      if (ephemeral || x.flags === MessageFlags.Ephemeral) seen.alone.push({ user, text });
      done(text);
    };
    client.emit(Events.InteractionCreate, {
      user: { id: user }, channelId: thread.id, channel: { threads: { create: async () => { seen.threads++; return thread; } } },
      isChatInputCommand: () => false, reply: say, followUp: say, editReply: say,
      update: async () => done(""), deferReply: async (x) => { ephemeral = x?.flags === MessageFlags.Ephemeral; }, ...more,
    });
  });
}

export class Client extends EventEmitter {
  application = { commands: { set: async (list) => { seen.commands = list.length; } } };
  async login() {
    this.emit(Events.ClientReady);
    const options = { getString: (n) => ({ file: process.env.FAKE_FILE, seed: "1" })[n] ?? null };
    interact(this, "gm", { isChatInputCommand: () => true, commandName: "evening", options });
    for (let n = 0; ; n++) {
      while (asked.length <= n && !seen.posted.at(-1)?.startsWith("Nobody is asked")) await new Promise((r) => { wake = r; });
      if (asked.length <= n) break;
      const all = asked[n].components.flatMap((row) => row.data.components).map((b) => b.data);
      if (asked[n].components.length > 5 || asked[n].components.some((row) => row.data.components.length > 5)) seen.wrong.push("too many buttons");
      if (seen.buttons.length === 0) seen.buttons = all.map((b) => b.label);
      const usual = all.find((b) => b.style === ButtonStyle.Primary);
      if (n === 0) {
        await interact(this, "stranger", { customId: usual.customId });
        await interact(this, "gm", { customId: all.find((b) => b.customId.startsWith("worth")).customId });
      }
      await interact(this, "gm", { customId: usual.customId });
      if (n === 0) await interact(this, "gm", { customId: usual.customId });
    }
    process.stdout.write(JSON.stringify(seen) + "\n", () => process.exit(0));
  }
}
