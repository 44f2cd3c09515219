// What the server does not answer: odd paths, malformed, large, slow and random requests.
#include <random>
#include <set>

#include "cairn/base/test/share.hpp"
#include "cairn/view/test/served.hpp"

namespace cairn::view {
namespace {

using namespace test;

using ViewRefusal = ViewServer;
using cairn::test::sanitized;

// --- paths -----------------------------------------------------------------------------------------------------------

std::string with_token(std::string text) {
  for (std::size_t at = text.find("TOKEN"); at != std::string::npos; at = text.find("TOKEN", at + token.size()))
    text.replace(at, 5, token);
  return text;
}

TEST_F(ViewRefusal, no_spelling_of_a_path_leads_elsewhere) {
  const std::vector<std::string> before{"/", "/TOKEN/", "/TOKEN/frame/", "/TOKEN/cast/", "/TOKEN", "//", ""};
  const std::vector<std::string> up{"../",      "..%2f",         "%2e%2e/",     "%2e%2e%2f",
                                    "..\\",     "..%5c",         "%252e%252e/", "%c0%ae%c0%ae/",
                                    "..%c0%af", "..;/",          "....//",      "%2e%2e%5c",
                                    "./",       "%2e/",          ".%00./",      "..%00/",
                                    "..%u2215", "%uff0e./",      "..%ef%bc%8f", "\xc0\xae\xc0\xae/",
                                    "..%252f",  "\xe2\x80\xa5/", "..%0d%0a/",   "%e0%80%ae%2e/"};
  const std::vector<std::string> goal{"etc/passwd", "TOKEN/cast", "frame/0", ""};
  int tried = 0;
  for (const std::string& b : before)
    for (const std::string& u : up)
      for (const int times : {1, 4})
        for (const std::string& g : goal) {
          std::string target = b;
          for (int k = 0; k < times; ++k) target += u;
          if ((times == 4 && (sanitized || &g != &goal[0]))) continue;
          const int status = refused_target(with_token(target + g));
          EXPECT_TRUE(status == 404 || status == 400) << target << g << ": " << status;
          ++tried;
        }
  EXPECT_GE(tried, 200);
}

TEST_F(ViewRefusal, odd_targets_are_not_found) {
  std::vector<std::string> odd{
      "/",
      "*",
      "TOKEN",
      "/TOKEN",
      "TOKEN/",
      "//TOKEN/",
      "/TOKEN//",
      "/TOKEN/cast/",
      "/TOKEN//cast",
      "/./TOKEN/cast",
      "/TOKEN/./cast",
      "/TOKEN/../TOKEN/cast",
      "/x/../TOKEN/cast",
      "/TOKEN/Cast",
      "/TOKEN/CAST",
      "/TOKEN/cast ",
      "/TOKEN/cast%20",
      "/TOKEN/%63ast",
      "/TOKEN/cast?",
      "/TOKEN/cast?x=1",
      "/TOKEN/cast#x",
      "/TOKEN/#",
      "/TOKEN/?",
      "/TOKEN/?x",
      "/TOKEN/cast;x",
      "/TOKEN/cast%00",
      "/TOKEN/cast.html",
      "/TOKEN/index.html",
      "/TOKEN/frame",
      "/TOKEN/frame/",
      "/TOKEN/frame/-1",
      "/TOKEN/frame/+1",
      "/TOKEN/frame/1.0",
      "/TOKEN/frame/1e0",
      "/TOKEN/frame/0x1",
      "/TOKEN/frame/10",
      "/TOKEN/frame/999999999",
      "/TOKEN/frame/4294967296",
      "/TOKEN/frame/18446744073709551616",
      "/TOKEN/frame/1/",
      "/TOKEN/frame/1/2",
      "/TOKEN/frame//1",
      "/TOKEN/frame/1?",
      "/TOKEN/frame/%31",
      "/TOKEN/frame/ 1",
      "/TOKEN/contacts/10",
      "/TOKEN/contacts/a",
      "/TOKEN/path/4?points=5",
      "/TOKEN/path/-1?points=5",
      "/TOKEN/path/",
      "/TOKEN/path/1?points=",
      "/TOKEN/path/1?points=5&x=1",
      "/TOKEN/path/1?points=5&points=6",
      "/TOKEN/path/1?Points=5",
      "/TOKEN/steps?points=-5",
      "/TOKEN/steps?points=1e3",
      "/TOKEN/steps?points=99999999999",
      "/TOKEN/steps?from=2",
      "/TOKEN/timeline?from=",
      "/TOKEN/timeline?from=-1",
      "/TOKEN/timeline?from=11",
      "/TOKEN/timeline?from=%30",
      "/TOKEN/timeline?points=3",
      "/favicon.ico",
      "/robots.txt",
      "/.git/config",
      "/etc/passwd",
      "/proc/self/environ",
      "file:///etc/passwd",
      "file://localhost/TOKEN/cast",
      "http://127.0.0.1/TOKEN/cast",
      "http://HOST/TOKEN/cast",
      "http://evil.example/TOKEN/cast",
      "https://HOST/TOKEN/",
      "HOST",
      "evil.example:443",
      "ftp://x/TOKEN/cast",
      "/http://HOST/TOKEN/cast",
      "\\TOKEN\\cast",
      "/TOKEN\\cast",
      "C:\\TOKEN",
      "/TOKEN/\xc3\xa9",
      "/TOKEN/cast\x7f",
      "/" + std::string(7000, 'a'),
      "/TOKEN/" + std::string(5000, '/'),
      "/TOKEN/frame/" + std::string(300, '0'),
      "/TOKEN/" + std::string(250, '?'),
      "/%54OKEN/cast",
      "/~root",
      "/%",
      "/%%",
      "/%zz",
      "/TOKEN/%",
  };
  for (std::size_t i = 0; i < token.size(); ++i) {  // the token, wrong in one place
    std::string other = token, shorter = token, longer = token;
    other[i] = other[i] == '7' ? '8' : '7';
    shorter.erase(i, 1), longer.insert(i, 1, '0');
    for (const std::string& t : {other, shorter, longer, token.substr(0, i), token.substr(i + 1)})
      odd.push_back("/" + t + "/cast");
  }
  std::string upper = token;
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  for (const std::string& t : {upper, "%30" + token.substr(1), token + token, token + "%00", " " + token, token + "."})
    odd.push_back("/" + t + "/cast");
  for (std::string target : odd) {
    if (const std::size_t at = target.find("HOST"); at != std::string::npos) target.replace(at, 4, host_);
    const int status = refused_target(with_token(target));
    EXPECT_TRUE(status == 404 || status == 400 || (status == 500 && target.ends_with("from=11")))
        << target << ": " << status;
  }
  EXPECT_GE(odd.size(), 200u);
}

// A wrong token and a wrong path below the right one look the same.
TEST_F(ViewRefusal, what_is_not_found_tells_nothing) {
  const Reply path = ask(port_, request("/" + token + "/nothing")), other = ask(port_, request("/" + token + "0/cast"));
  EXPECT_EQ(path.status, 404);
  EXPECT_EQ(path.head, other.head);
  EXPECT_EQ(path.body, other.body);
}

TEST_F(ViewRefusal, bytes_in_the_target_that_do_not_belong_there_are_refused) {
  for (int c = 0; c < 256; ++c) {
    const std::string odd(1, static_cast<char>(c));
    if (c == ' ' || c == '\n') continue;  // ends the target, or the line
    refused_target("/" + token + "/cast" + odd);
    if (c != '/') refused_target("/" + token + odd + "/cast");
  }
}

// --- methods, bodies, malformed heads --------------------------------------------------------------------------------

TEST_F(ViewRefusal, nothing_but_get) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "PROPFIND", "MKCOL",
                             "COPY", "PURGE", "get", "Get", "GETT", "X", "M-SEARCH", "LINK"}) {
    const Reply reply = ask(port_, request("/" + token + "/cast", "", method));
    EXPECT_EQ(reply.status, 405) << method;
    EXPECT_NE(reply.head.find("Allow: GET, HEAD\r\n"), std::string::npos);
    EXPECT_EQ(reply.body.find(secret), std::string::npos);
  }
  const std::string preflight = "Origin: http://evil.example\r\nAccess-Control-Request-Method: GET\r\n";
  EXPECT_EQ(refused(request("/" + token + "/cast", preflight, "OPTIONS"), "preflight"), 403);
}

TEST_F(ViewRefusal, requests_bring_no_body) {
  const std::string target = "/" + token + "/cast";
  EXPECT_EQ(get("cast", "Content-Length: 0\r\n").status, 200);
  for (const std::string more :
       {"Content-Length: 5\r\n", "Content-Length: 1\r\n", "Content-Length: 99999999999\r\n", "Content-Length: -1\r\n",
        "Content-Length: 18446744073709551616\r\n", "Content-Length: x\r\n",
        "Content-Length: 0\r\nContent-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n",
        "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: identity\r\n"})
    for (const std::string body : {"", "hello", "0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n"})
      EXPECT_EQ(refused(request(target, more) + body, more), 400) << more << body;
  const std::string large = "Content-Length: 8000000\r\n";
  const Reply reply = ask(port_, request(target, large) + std::string(8000000, 'x'));
  EXPECT_TRUE(reply.status == 400 || reply.status == 0);
  EXPECT_EQ(reply.body.find(secret), std::string::npos);
}

TEST_F(ViewRefusal, malformed_heads_are_refused) {
  const std::string path = "/" + token + "/cast", host = "Host: " + host_ + "\r\n";
  for (const std::string& bytes :
       {"GET " + path + "\r\n\r\n",
        "GET " + path + " HTTP/2.0\r\n" + host + "\r\n",
        "GET " + path + " HTTP/9.9\r\n" + host + "\r\n",
        "GET " + path + " http/1.1\r\n" + host + "\r\n",
        "GET  " + path + " HTTP/1.1\r\n" + host + "\r\n",
        "GET\t" + path + " HTTP/1.1\r\n" + host + "\r\n",
        "GET " + path + " x HTTP/1.1\r\n" + host + "\r\n",
        "GET " + path + " HTTP/1.1\r\n" + host + "no colon\r\n\r\n",
        "GET " + path + " HTTP/1.1\r\n" + host + ": no name\r\n\r\n",
        "GET " + path + " HTTP/1.1\r\n" + host + "a b: c\r\n\r\n",
        "GET " + path + " HTTP/1.1\r\n" + host + "a: \x01\r\n\r\n",
        "GET " + path + " HTTP/1.1\r\nHost : " + host_ + "\r\n\r\n",
        "GET " + path + " HTTP/1.1\n" + "Host: " + host_ + "\n\n",
        " GET " + path + " HTTP/1.1\r\n" + host + "\r\n",
        "GET " + path + " HTTP/1.1\r\r\n" + host + "\r\n",
        std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + std::string(200, '\x42'),
        std::string("\r\n\r\n\r\n\r\n"),
        std::string(100, '\0'),
        std::string("GET"),
        std::string("G"),
        std::string()}) {
    const int status = refused(bytes, bytes);
    EXPECT_TRUE(status == 400 || status == 0 || status == 403) << bytes << ": " << status;
  }
}

TEST_F(ViewRefusal, heads_of_too_many_bytes_are_refused) {
  const std::string target = "/" + token + "/cast";
  EXPECT_EQ(get("cast", "X: " + std::string(6000, 'a') + "\r\n").status, 200);
  std::string many, line_after_line;
  for (int k = 0; k < 1000; ++k) many += "X" + std::to_string(k) + ": abcdefgh\r\n";
  EXPECT_EQ(refused(request(target, "X: " + std::string(9000, 'a') + "\r\n"), "one long header"), 431);
  EXPECT_EQ(refused(request(target, std::string(9000, 'a') + ": x\r\n"), "a long name"), 431);
  EXPECT_EQ(refused(request(target, many), "many headers"), 431);
  EXPECT_EQ(refused(request("/" + std::string(20000, 'a')), "a long target"), 431);
  EXPECT_EQ(refused(std::string(9000, 'A'), "a long method"), 431);
  EXPECT_TRUE(std::set({400, 431, 0}).contains(refused(std::string(100000, '\xff'), "long garbage")));
}

// --- slow, idle, many ------------------------------------------------------------------------------------------------

TEST_F(ViewRefusal, a_slow_request_is_given_up_and_holds_nobody_up) {
  const Client slow(port_);
  const std::string bytes = request("/" + token + "/cast");
  const double begin = seconds_now();
  std::string answer;
  std::size_t sent = 0;
  bool closed = false;
  while (!closed && seconds_now() - begin < 5) {
    if (sent < bytes.size() - 4) slow.send(bytes.substr(sent++, 1));
    EXPECT_EQ(get("frame/1").status, 200);
    closed = slow.receive(answer, 0.02);
  }
  EXPECT_TRUE(closed);
  EXPECT_LT(seconds_now() - begin, 3);
  EXPECT_GE(seconds_now() - begin, 0.35);
  EXPECT_EQ(parsed(answer).status, 408);
}

TEST_F(ViewRefusal, idle_connections_make_room_in_time) {
  std::vector<std::unique_ptr<Client>> idle;
  for (int k = 0; k < 8; ++k) idle.push_back(std::make_unique<Client>(port_));
  ::usleep(50000);
  const int turned_away = ask(port_, request("/" + token + "/cast")).status;
  EXPECT_TRUE(turned_away == 503 || turned_away == 0) << turned_away;  // 0: closed before the answer was read
  std::string nothing;
  for (const auto& client : idle) EXPECT_TRUE(client->receive(nothing)) << "not closed";
  EXPECT_EQ(nothing, "");
  expect_alive();
}

TEST_F(ViewRefusal, many_connections_at_once_do_no_harm) {
  std::vector<std::unique_ptr<Client>> crowd;
  for (int k = 0; k < 200; ++k) {
    crowd.push_back(std::make_unique<Client>(port_));
    crowd.back()->send("GET / HT");
  }
  for (const auto& client : crowd) {
    std::string answer;
    EXPECT_TRUE(client->receive(answer));
    EXPECT_EQ(answer.find(secret), std::string::npos);
  }
  crowd.clear();
  ::usleep(50000);
}

TEST_F(ViewRefusal, an_answer_that_nobody_takes_is_given_up) {
  const Client lazy(port_);
  lazy.send(request("/" + token + "/steps?points=2"));
  const double begin = seconds_now();
  while (seconds_now() - begin < 1.5) {
    EXPECT_EQ(get("frame/2").status, 200);
    ::usleep(20000);
  }
  std::string answer;
  EXPECT_TRUE(lazy.receive(answer));
  EXPECT_LT(answer.size(), Made::large);
}

TEST_F(ViewRefusal, clients_that_leave_are_forgotten) {
  for (int k = 0; k < 50; ++k) {
    Client(port_).send("GET /");
    if (k % 10 == 0) Client(port_).send(request("/" + token + "/steps?points=2"));  // gone before the answer
  }
  ::usleep(100000);
  expect_alive();
}

// --- random bytes ----------------------------------------------------------------------------------------------------

TEST_F(ViewRefusal, garbage_is_refused) {
  std::mt19937 random(3);
  for (int k = 0; k < (sanitized ? 100 : 1000); ++k) {
    std::string bytes(random() % 600, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    if (k % 2 == 0) bytes = "GET /" + bytes + " HTTP/1.1\r\nHost: " + host_ + "\r\n\r\n";
    refused(bytes, "garbage " + std::to_string(k));
  }
}

// Where a changed request is still answered it has the token and the host, whole.
TEST_F(ViewRefusal, changed_requests_need_token_and_host) {
  std::mt19937 random(5);
  const std::string good = request("/" + token + "/frame/3", "Origin: http://" + host_ + "\r\nAccept: */*\r\n");
  const std::string from = "GET /.%:\r\n ?#\\0aA\x80\xff\t;@";
  int answered = 0;
  for (int k = 0; k < (sanitized ? 300 : 3000); ++k) {
    std::string bytes = good;
    for (unsigned changes = 1 + static_cast<unsigned>(random() % 3); changes > 0; --changes) {
      const std::size_t at = random() % bytes.size();
      const char c = random() % 2 == 0 ? from[random() % from.size()] : static_cast<char>(random());
      switch (random() % 4) {
        case 0: bytes[at] = c; break;
        case 1: bytes.erase(at, 1 + random() % 4); break;
        case 2: bytes.insert(at, 1, c); break;
        default: bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 40));
      }
    }
    const Reply reply = ask(port_, bytes);
    EXPECT_TRUE(std::set({0, 200, 400, 403, 404, 405, 408, 431}).contains(reply.status)) << reply.status;
    if (reply.status != 200) {
      EXPECT_EQ(reply.body.find(secret), std::string::npos) << bytes;
      continue;
    }
    ++answered;
    EXPECT_TRUE(bytes.starts_with("GET /" + token + "/frame/") || bytes.starts_with("GET /" + token + "/ ")) << bytes;
    EXPECT_NE(bytes.find(host_ + "\r\n"), std::string::npos) << bytes;
  }
  EXPECT_GT(answered, 0);  // changes to what does not matter
}

}  // namespace
}  // namespace cairn::view
