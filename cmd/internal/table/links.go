package table

import (
	"fmt"
	"net"
	"strings"

	"rsc.io/qr"
)

// Links are how one comes in.
type Links struct {
	Master string // the game master's, which nobody else should have
	Join          // the players'
}

// Join is how players come in, as the game master's page shows it.
type Join struct {
	Link    string   `json:"link"`
	Address string   `json:"address"`
	Code    string   `json:"code"`
	Screen  string   `json:"screen"`
	QR      []string `json:"qr"` // of Link, rows of 0 and 1
}

// Links makes the links of an address, such as "192.168.1.20:7373", and shows them on the page.
func (h *Hub) Links(master, address string) (Links, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	j := Join{Link: "http://" + address + "/#" + h.seats.Code, Address: "http://" + address, Code: h.seats.Code, Screen: "http://" + address + "/screen#" + h.seats.Code}
	code, err := qr.Encode(j.Link, qr.L)
	if err != nil {
		return Links{}, err
	}
	for y := range code.Size {
		var row strings.Builder
		for x := range code.Size {
			if code.Black(x, y) {
				row.WriteByte('1')
			} else {
				row.WriteByte('0')
			}
		}
		j.QR = append(j.QR, row.String())
	}
	h.join = &j
	h.show()
	return Links{"http://" + master + "/gm#" + h.seats.Gm, j}, nil
}

// Blocks draws a code for a terminal, two rows a line, with a margin: light where it is light.
func Blocks(rows []string) []string {
	n := len(rows) + 4
	light := func(x, y int) bool {
		x, y = x-2, y-2
		return x < 0 || y < 0 || y >= len(rows) || x >= len(rows) || rows[y][x] == '0'
	}
	var lines []string
	for y := 0; y < n; y += 2 {
		var b strings.Builder
		for x := range n {
			switch top, below := light(x, y), y+1 < n && light(x, y+1); {
			case top && below:
				b.WriteString("█")
			case top:
				b.WriteString("▀")
			case below:
				b.WriteString("▄")
			default:
				b.WriteString(" ")
			}
		}
		lines = append(lines, b.String())
	}
	return lines
}

// Listen takes the port of the last time, or the one that is usual here, or any. With lan it listens
// on all addresses of this computer. Hosts are those by which it can be called, the one to be given to
// others last.
func (h *Hub) Listen(port int, lan bool) (l net.Listener, hosts []string, err error) {
	ip := "127.0.0.1"
	if lan {
		ip = "0.0.0.0"
	}
	tries := []int{h.seats.Port, usualPort, 0}
	if port != 0 {
		tries = []int{port}
	}
	for i, p := range tries {
		if p == 0 && i == 0 && port == 0 {
			continue // there was no last time
		}
		if l, err = net.Listen("tcp4", fmt.Sprint(ip, ":", p)); err == nil {
			break
		}
	}
	if err != nil {
		return nil, nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seats.Port = l.Addr().(*net.TCPAddr).Port
	for _, name := range append([]string{"127.0.0.1", "localhost"}, addresses(lan)...) {
		hosts = append(hosts, fmt.Sprint(name, ":", h.seats.Port))
	}
	return l, hosts, h.seats.save()
}

const usualPort = 7373

// addresses are those of this computer in its networks.
func addresses(lan bool) (list []string) {
	if !lan {
		return nil
	}
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			list = append(list, n.IP.String())
		}
	}
	return list
}
