// Raw bytes to a server and back, as clumsily or as wickedly as a test likes.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>

namespace cairn::view::test {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Reply {
  int status = 0;  // 0: nothing came
  std::string head, body;
};

class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET, place.sin_port = htons(static_cast<unsigned short>(port));
    ::inet_pton(AF_INET, "127.0.0.1", &place.sin_addr);
    connected = ::connect(socket_, reinterpret_cast<sockaddr*>(&place), sizeof place) == 0;
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool connected = false;

  // Whether all of it went out.
  bool send(const std::string& bytes) const {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t n = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return false;
      sent += static_cast<std::size_t>(n);
    }
    return true;
  }
  void end_sending() const { ::shutdown(socket_, SHUT_WR); }

  // All that comes until the other side closes, or for so long; false at the end: it did not close.
  bool receive(std::string& bytes, double seconds = 5, std::size_t enough = std::size_t(-1)) const {
    char piece[65536];
    const double end = seconds_now() + seconds;
    while (bytes.size() < enough) {
      pollfd ready{socket_, POLLIN, 0};
      const int left = static_cast<int>((end - seconds_now()) * 1000);
      if (left <= 0 || ::poll(&ready, 1, left) <= 0) return false;
      const ssize_t n = ::recv(socket_, piece, sizeof piece, 0);
      if (n <= 0) return true;
      bytes.append(piece, static_cast<std::size_t>(n));
    }
    return true;
  }

 private:
  int socket_;
};

inline Reply parsed(const std::string& bytes) {
  Reply reply;
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string::npos || !bytes.starts_with("HTTP/1.1 ")) return reply;
  reply.status = std::atoi(bytes.c_str() + 9);
  reply.head = bytes.substr(0, end + 2), reply.body = bytes.substr(end + 4);
  return reply;
}

inline Reply ask(int port, const std::string& bytes) {
  const Client client(port);
  client.send(bytes);
  client.end_sending();
  std::string answer;
  client.receive(answer, 30);
  return parsed(answer);
}

// "http://HOST:PORT/PATH"
struct Url {
  std::string host, path;
  int port = 0;

  explicit Url(const std::string& text) {
    const std::size_t begin = text.find("//") + 2, slash = text.find('/', begin);
    host = text.substr(begin, slash - begin), path = text.substr(slash);
    port = std::atoi(host.substr(host.rfind(':') + 1).c_str());
  }
};

inline Reply fetch(const Url& url, const std::string& below) {
  return ask(url.port, "GET " + url.path + below + " HTTP/1.1\r\nHost: " + url.host + "\r\nConnection: close\r\n\r\n");
}

}  // namespace cairn::view::test
