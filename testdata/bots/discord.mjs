#!/usr/bin/env node
// Plays setpiece in Discord: one thread an evening, buttons with what they cost, and advice that only whoever asked sees.
//
//     npm install discord.js
//     DISCORD_TOKEN=… node discord.mjs SETPIECE
//
// /evening opens a script in a new thread; whoever opened it is its game master. /play says who plays a hero: only they,
// and the game master, answer for them. What the rules call secret is not posted, nor are sheets, tactics and notes.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import {
  ActionRowBuilder, ButtonBuilder, ButtonStyle, Client, Events, GatewayIntentBits, MessageFlags, ModalBuilder, SlashCommandBuilder,
  TextInputBuilder, TextInputStyle,
} from "discord.js";

// ---- setpiece: a process for all evenings, which are called as their threads ----------------

const server = spawn(process.argv[2] ?? "setpiece", ["serve", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map(); // by the id of a call: what to do with its result
let last = 0;

function call(method, params) {
  const id = ++last;
  server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

createInterface({ input: server.stdout }).on("line", (text) => {
  const message = JSON.parse(text);
  if (message.method) return heard[message.method]?.(message.params);
  const { resolve, reject } = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.error) reject(new Error(message.error.message));
  else resolve(message.result);
});

// evenings are what is going on, by thread: { thread, master, players, question, lines }.
const evenings = new Map();
const heard = {
  event: ({ evening, record }) => evenings.get(evening).lines.push(...line(record)),
  question: ({ evening, question }) => { evenings.get(evening).question = question; },
};

const name = (who) => (who ?? "").replaceAll("_", " ").replaceAll('"', "");

// line is what happened in a line, none for what is not told.
function line(r) {
  if (r.told === "secret" || r.depth) return [];
  if (r.event === "span" && r.text && !r.end) return [`**${r.text}**`];
  if (r.event === "print" && r.told === "open") return [`*${r.text ?? r.value}*`];
  return r.event === "group" && r.outcome ? [`${name(r.who)} ${r.label}: ${name(r.outcome)}`] : [];
}

// ---- what is posted --------------------------------------------------------------------------

const button = (id, label, style = ButtonStyle.Secondary) => new ButtonBuilder().setCustomId(id).setLabel(label.slice(0, 80)).setStyle(style);

// rows are the buttons of a question: at most four rows of answers, and one of what else there is.
function rows(q) {
  const yesno = q.options?.[1] === "yes" && q.options.length === 2;
  const answers = (q.options ?? []).slice(0, 20).map((o, i) => {
    const costs = q.cost && (yesno ? i === 1 : i !== q.default) ? ` (${q.cost})` : "";
    return button(`answer:${q.id}:${i}`, o + costs, i === q.default ? ButtonStyle.Primary : ButtonStyle.Secondary);
  });
  if (q.kind === "command" && q.usual) answers.push(button(`usual:${q.id}`, q.usual, ButtonStyle.Primary));
  const more = [button(`worth:${q.id}`, "What is it worth?")];
  if (q.kind === "command" || q.options?.length > 20) more.push(button(`type:${q.id}`, "Type it"));
  const list = [];
  for (let i = 0; i < answers.length; i += 5) list.push(answers.slice(i, i + 5));
  return [...list, more].map((some) => new ActionRowBuilder().addComponents(...some));
}

// post posts what happened since, in messages as long as Discord takes them, and what is asked now.
async function post(e) {
  let text = "";
  for (const l of e.lines.splice(0)) {
    if (text.length + l.length > 1900) { await e.thread.send({ content: text }); text = ""; }
    text += l.slice(0, 1900) + "\n";
  }
  if (text) await e.thread.send({ content: text });
  const q = e.question;
  if (!q) return e.thread.send({ content: "Nobody is asked anything more." });
  const user = e.players.get(name(q.who));
  await e.thread.send({ content: `${user ? `<@${user}> ` : ""}${q.kind === "command" ? `What does ${name(q.who)} do?` : q.title}`, components: rows(q) });
}

// ---- what people do --------------------------------------------------------------------------

const alone = (content) => ({ content: content.slice(0, 2000), flags: MessageFlags.Ephemeral });

const commands = {
  async evening(i) {
    const file = i.options.getString("file");
    await i.deferReply();
    const thread = await i.channel.threads.create({ name: file.slice(0, 100) });
    const e = { thread, master: i.user.id, players: new Map(), lines: [] };
    evenings.set(thread.id, e);
    await call("open", { v: 1, evening: thread.id, file, quiet: "usual", seed: i.options.getString("seed") ?? undefined });
    await i.editReply(`The evening is in <#${thread.id}>.`);
    await post(e);
  },
  async play(i) {
    const e = evenings.get(i.channelId);
    if (!e) return i.reply(alone("There is no evening in this channel."));
    e.players.set(name(i.options.getString("who")), i.user.id);
    await i.reply(`<@${i.user.id}> plays ${i.options.getString("who")}.`);
  },
};

// answer gives an answer, and takes the buttons away.
async function answer(i, e, params) {
  const { id } = e.question;
  await i.update({ components: [] });
  e.question = null;
  await call("answer", { evening: e.thread.id, question: id, ...params }).catch(async (err) => {
    await i.followUp(alone(err.message));
    e.question = (await call("state", { evening: e.thread.id, who: "" })).question;
  });
  await post(e);
}

async function pressed(i) {
  const [what, id, option] = i.customId.split(":");
  const e = evenings.get(i.channelId), q = e?.question;
  if (!q || String(q.id) !== id) return i.reply(alone("That question is over."));
  if (![e.players.get(name(q.who)) ?? e.master, e.master].includes(i.user.id)) return i.reply(alone(`${name(q.who)} is somebody else's.`));
  if (what === "answer") return answer(i, e, { option: Number(option) });
  if (what === "usual") return answer(i, e, { text: "" });
  if (what === "typed") return answer(i, e, { text: i.fields.getTextInputValue("text"), plain: true });
  if (what === "type") {
    const box = new TextInputBuilder().setCustomId("text").setLabel(name(q.who).slice(0, 45)).setStyle(TextInputStyle.Short);
    return i.showModal(new ModalBuilder().setCustomId(`typed:${id}`).setTitle("Type it").addComponents(new ActionRowBuilder().addComponents(box)));
  }
  await i.deferReply({ flags: MessageFlags.Ephemeral });
  const { records: [a] } = await call("advise", { evening: e.thread.id, question: q.id, trials: 100 });
  const goal = a.goals.at(-1), figure = (v) => (v == null ? "–" : goal.chance ? `${Math.round(100 * v)} %` : v.toFixed(1));
  await i.editReply(`${goal.doc || goal.name}:\n${a.options.map((o, k) => `${o === true ? "yes" : o === false ? "no" : name(String(o))}: ${figure(goal.values[k])}`).join("\n")}`.slice(0, 2000));
}

const client = new Client({ intents: [GatewayIntentBits.Guilds] });
client.once(Events.ClientReady, () => client.application.commands.set([
  new SlashCommandBuilder().setName("evening").setDescription("Open a script in a thread").addStringOption((o) => o.setName("file").setDescription("the script").setRequired(true)).addStringOption((o) => o.setName("seed").setDescription("of the dice")),
  new SlashCommandBuilder().setName("play").setDescription("Play a hero").addStringOption((o) => o.setName("who").setDescription("the hero").setRequired(true)),
]));
client.on(Events.InteractionCreate, (i) => {
  const done = i.isChatInputCommand() ? commands[i.commandName]?.(i) : pressed(i);
  Promise.resolve(done).catch((err) => (i.deferred || i.replied ? i.followUp(alone(err.message)) : i.reply(alone(err.message))));
});
client.login(process.env.DISCORD_TOKEN);
